//! tmp
use std::time::{Duration, Instant};
use gdl::logic::*;
fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let t = Instant::now();
        let (sheet, _) = gdl::sheet::Sheet::read(&file, &text);
        let p = Program::new(&sheet.unwrap()).unwrap();
        let s = Statics::new(p).unwrap();
        let t1 = t.elapsed().as_secs_f64();
        let mut b = Budget::new("grounding", 20_000_000, Some(Duration::from_secs(30)));
        let g = match gdl::net::Ground::new(&s, b.clone()) { Ok(g) => g, Err(e) => { println!("{file}: {e}"); continue; } };
        let t2 = t.elapsed().as_secs_f64();
        let n = gdl::net::Network::new(&s, &g, &mut b).unwrap();
        let t3 = t.elapsed().as_secs_f64();
        let (gl, gw) = (n.gates.len(), n.gates.wires());
        let n = gdl::net::simplify(n);
        let t4 = t.elapsed().as_secs_f64();
        println!("{:<28} static {t1:.3} ground {:.3} net {:.3} simp {:.3} props {} clauses {} gates {gl}/{gw} -> {}/{} bases {} inputs {} regions {:?}", file.rsplit('/').next().unwrap(), t2-t1, t3-t2, t4-t3, g.props, g.clauses().count(), n.gates.len()-n.gates.first_gate(), n.gates.wires(), n.bases.len(), n.inputs.len(), n.regions.iter().map(|r| (r.nodes.len(), r.loops.len())).collect::<Vec<_>>());
    }
}
