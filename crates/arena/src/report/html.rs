//! The report as one page that needs nothing beside it.

use super::markdown::{
    ReportSection, cross_table, forfeits, head_to_head, mistakes, own_points, seats, standings, time,
};
use super::svg::{Bars, Dots, LineChart, escape};
use super::{Tested, TournamentReport, signed};
use std::fmt::Write;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;\
color:#222;background:#fff}table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}\
th,td{padding:.25rem .6rem;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}\
th:first-child,td:first-child{text-align:left}h2{margin-top:2rem}p.note{color:#555;max-width:50rem}\
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:currentColor}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}p.note{color:#aaa}}";

pub(super) fn write(report: &TournamentReport) -> String {
    let mut page = String::new();
    let title = escape(report.title);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{}: {} pairs, {} games; {}.</p>\n",
        escape(report.game),
        report.standings.pairs,
        report.standings.games(),
        escape(&report.terms),
    );
    if let Some(Tested { sprt, decided, all }) = &report.sprt {
        let decided = decided.map_or("undecided".into(), |(ratio, decision)| {
            format!("{decision} at LLR {ratio:.2}")
        });
        let _ = writeln!(
            page,
            "<p>SPRT {} to {}: {decided}; LLR of all pairs {all:.2}.</p>",
            sprt.elo0, sprt.elo1
        );
        if let Some(warning) = forfeits(report) {
            let _ = writeln!(page, "<p><strong>{}</strong></p>", escape(&warning));
        }
    }
    section(&mut page, standings(report), &rating_figure(report));
    section(&mut page, cross_table(report), "");
    section(&mut page, head_to_head(report), "");
    section(&mut page, seats(report), "");
    section(&mut page, time(report), &time_figure(report));
    if let Some(table) = own_points(report) {
        section(&mut page, table, "");
    }
    if let Some(table) = mistakes(report) {
        section(&mut page, table, &mistake_figure(report));
    }
    page.push_str("</html>\n");
    page
}

fn section(page: &mut String, (title, note, rows): ReportSection, figure: &str) {
    let _ = write!(page, "<h2>{title}</h2>\n{figure}\n<table>\n");
    for (i, row) in rows.iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        let cells: String = row
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)))
            .collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    let _ = writeln!(page, "</table>\n<p class=\"note\">{}</p>", escape(note));
}

fn rating_figure(report: &TournamentReport) -> String {
    let ratings = report.standings.ratings();
    let rows = report.standings.order().into_iter().map(|i| {
        let rating = &ratings[i];
        (report.name(i), rating.value, rating.low, rating.high)
    });
    Dots {
        title: "Elo with 95 % intervals",
        rows: rows.collect(),
        label: signed,
    }
    .draw()
}

fn time_figure(report: &TournamentReport) -> String {
    let rows = report.standings.order().into_iter().map(|i| {
        let times = &report.standings.players[i].times;
        (report.name(i), times.place.seconds(), times.give.seconds())
    });
    Bars {
        title: "Seconds used, placing and giving",
        rows: rows.collect(),
    }
    .draw()
}

fn mistake_figure(report: &TournamentReport) -> String {
    let Some(mistakes) = &report.mistakes else {
        return String::new();
    };
    let series = report.standings.order().into_iter().filter_map(|i| {
        let player = mistakes.get(i)?;
        let judged = player.phases.iter().filter(|(_, phase)| phase.judged > 0);
        let points = judged.map(|(&phase, counts)| (f64::from(phase), counts.mistakes as f64 / counts.judged as f64));
        Some((report.name(i), points.collect()))
    });
    LineChart {
        title: "Mistakes a turn, by pieces placed",
        x: "pieces placed",
        series: series.collect(),
    }
    .draw()
}
