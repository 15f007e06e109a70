//! Figures: dots with error bars, bars in two parts, lines. Colours are the reader's (`currentColor`) or told apart by
//! hue and dash alike.

use std::fmt::Write;

const HUES: [&str; 8] = [
    "#4269d0", "#ef8a17", "#d63b3b", "#3a9e7f", "#8f5fbf", "#9c6b4e", "#c25b9b", "#6b7280",
];
const ROW: f64 = 26.0;
const NAMES: f64 = 230.0;
const WIDTH: f64 = 860.0;

/// Makes text safe inside HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A name that fits its column.
fn short(name: &str) -> String {
    const MOST: usize = 34;
    match name.chars().count() > MOST {
        true => name.chars().take(MOST - 1).chain(['…']).collect(),
        false => name.into(),
    }
}

/// Round numbers from `low` to `high`, about five of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-9);
    let power = 10f64.powf((span / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|m| m * power)
        .into_iter()
        .find(|s| span / s <= 6.0)
        .unwrap_or(span);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last.min(first + 20)).map(|i| i as f64 * step).collect()
}

fn number(x: f64) -> String {
    let text = format!("{x:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn open(title: &str, height: f64) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{0}\">\n\
         <title>{0}</title>\n<text x=\"4\" y=\"16\" font-weight=\"bold\">{0}</text>\n",
        escape(title)
    )
}

/// A dot and an interval for each name.
pub struct Dots<'a> {
    /// What it shows.
    pub title: &'a str,
    /// Names, values, and where their intervals begin and end.
    pub rows: Vec<(String, f64, f64, f64)>,
    /// How values are written.
    pub label: fn(f64) -> String,
}

impl Dots<'_> {
    /// The figure.
    pub fn draw(&self) -> String {
        let low = self.rows.iter().map(|row| row.2).fold(0.0, f64::min);
        let high = self.rows.iter().map(|row| row.3).fold(1.0, f64::max);
        let room = WIDTH - NAMES - 70.0;
        let x = |value: f64| NAMES + (value - low) / (high - low) * room;
        let height = 50.0 + ROW * self.rows.len() as f64;
        let mut svg = open(self.title, height);
        for tick in ticks(low, high) {
            let _ = writeln!(
                svg,
                "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"24\" y2=\"{1:.1}\" stroke=\"currentColor\" opacity=\".15\"/>\
                 <text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{3}</text>",
                x(tick),
                height - 20.0,
                height - 6.0,
                number(tick)
            );
        }
        for (i, (name, value, from, to)) in self.rows.iter().enumerate() {
            let y = 38.0 + ROW * i as f64;
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
                 <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{hue}\" stroke-width=\"2\"/>\
                 <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{hue}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                NAMES - 10.0,
                y + 4.0,
                escape(&short(name)),
                x(*from),
                x(*to),
                x(*value),
                x(*to) + 8.0,
                y + 4.0,
                escape(&(self.label)(*value)),
                hue = HUES[0],
            );
        }
        svg + "</svg>"
    }
}

/// A bar of two parts for each name.
pub struct Bars<'a> {
    /// What it shows.
    pub title: &'a str,
    /// Names and the two parts.
    pub rows: Vec<(String, f64, f64)>,
}

impl Bars<'_> {
    /// The figure.
    pub fn draw(&self) -> String {
        let most = self.rows.iter().map(|row| row.1 + row.2).fold(1e-12, f64::max);
        let room = WIDTH - NAMES - 90.0;
        let height = 34.0 + ROW * self.rows.len() as f64;
        let mut svg = open(self.title, height);
        for (i, (name, one, two)) in self.rows.iter().enumerate() {
            let y = 26.0 + ROW * i as f64;
            let (first, second) = (one / most * room, two / most * room);
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
                 <rect x=\"{NAMES}\" y=\"{y:.1}\" width=\"{first:.1}\" height=\"16\" fill=\"{}\"/>\
                 <rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{second:.1}\" height=\"16\" fill=\"{}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{:.3} s</text>",
                NAMES - 10.0,
                y + 12.0,
                escape(&short(name)),
                HUES[0],
                NAMES + first,
                HUES[1],
                NAMES + first + second + 6.0,
                y + 12.0,
                one + two,
            );
        }
        svg + "</svg>"
    }
}

/// Lines over a common axis.
pub struct LineChart<'a> {
    /// What it shows.
    pub title: &'a str,
    /// What the axis is.
    pub x: &'a str,
    /// Names and points.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

impl LineChart<'_> {
    /// The figure.
    pub fn draw(&self) -> String {
        let all = || self.series.iter().flat_map(|(_, points)| points.iter().copied());
        let (left, right) = all().fold((f64::MAX, f64::MIN), |(l, r), (x, _)| (l.min(x), r.max(x)));
        if left > right {
            return String::new();
        }
        let right = if right > left { right } else { left + 1.0 };
        let top = all().map(|(_, y)| y).fold(1e-9, f64::max);
        let (plot_w, plot_h) = (WIDTH - 60.0 - NAMES, 240.0);
        let px = |x: f64| 50.0 + (x - left) / (right - left) * plot_w;
        let py = |y: f64| 30.0 + plot_h - y / top * plot_h;
        let height = plot_h + 70.0;
        let mut svg = open(self.title, height);
        for tick in ticks(0.0, top) {
            let _ = writeln!(
                svg,
                "<line x1=\"50\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"currentColor\" opacity=\".15\"/>\
                 <text x=\"44\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                50.0 + plot_w,
                py(tick) + 4.0,
                number(tick),
                y = py(tick),
            );
        }
        for tick in ticks(left, right) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                px(tick),
                plot_h + 46.0,
                number(tick)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"50\" y=\"{:.1}\">{}</text>",
            plot_h + 64.0,
            escape(self.x)
        );
        for (i, (name, points)) in self.series.iter().enumerate() {
            let hue = HUES[i % HUES.len()];
            let dash = ["", "6 3", "2 3"][i / HUES.len() % 3];
            let path: Vec<String> = points
                .iter()
                .map(|&(x, y)| format!("{:.1},{:.1}", px(x), py(y)))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{hue}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>",
                path.join(" ")
            );
            for &(x, y) in points {
                let _ = write!(
                    svg,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{hue}\"/>",
                    px(x),
                    py(y)
                );
            }
            let y = 40.0 + 18.0 * i as f64;
            let _ = writeln!(
                svg,
                "\n<line x1=\"{0:.1}\" x2=\"{1:.1}\" y1=\"{2:.1}\" y2=\"{2:.1}\" stroke=\"{hue}\" stroke-width=\"2\" \
                 stroke-dasharray=\"{dash}\"/><text x=\"{3:.1}\" y=\"{4:.1}\">{5}</text>",
                WIDTH - NAMES,
                WIDTH - NAMES + 20.0,
                y - 4.0,
                WIDTH - NAMES + 26.0,
                y,
                escape(&short(name))
            );
        }
        svg + "</svg>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(-130.0, 240.0), [-100.0, 0.0, 100.0, 200.0]);
        assert!(ticks(0.0, 0.0).len() <= 21);
    }

    #[test]
    fn a_figure_of_nothing_is_harmless() {
        for svg in [
            Dots {
                title: "t",
                rows: vec![],
                label: number,
            }
            .draw(),
            Bars {
                title: "t",
                rows: vec![("a".into(), 0.0, 0.0)],
            }
            .draw(),
            LineChart {
                title: "t",
                x: "x",
                series: vec![("a".into(), vec![(3.0, 0.0)])],
            }
            .draw(),
            LineChart {
                title: "t",
                x: "x",
                series: vec![],
            }
            .draw(),
        ] {
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
