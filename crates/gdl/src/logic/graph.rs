//! Strongly connected components, without recursion: rule sheets may nest deeply.

/// The components of a graph of `nodes` nodes, every component after those it has edges to (Tarjan's algorithm).
pub fn components<'a>(nodes: usize, edges: impl Fn(usize) -> &'a [u32]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; nodes];
    let mut low = vec![0u32; nodes];
    let mut on_stack = vec![false; nodes];
    let mut stack = Vec::new();
    let mut out = Vec::new();
    let mut count = 0;
    // The path from the root: a node and how many of its edges were followed.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..nodes {
        if number[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut followed)) = path.last_mut() {
            if *followed == 0 {
                number[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node as u32);
                on_stack[node] = true;
            }
            match edges(node).get(*followed) {
                Some(&to) => {
                    *followed += 1;
                    let to = to as usize;
                    if number[to] == NEW {
                        path.push((to, 0));
                    } else if on_stack[to] {
                        low[node] = low[node].min(number[to]);
                    }
                }
                None => {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[node]);
                    }
                    if low[node] == number[node] {
                        let from = stack.iter().rposition(|&n| n as usize == node).unwrap_or(0);
                        let component = stack.split_off(from);
                        component.iter().for_each(|&n| on_stack[n as usize] = false);
                        out.push(component);
                    }
                }
            }
        }
    }
    out
}
