fn main() {
    for f in std::env::args().skip(1) {
        let t = std::fs::read_to_string(&f).unwrap();
        let (_, r) = gdl::sheet::Sheet::read(&f, &t);
        println!("== {f}: {:?}\n{}", r.counts(), r.render());
    }
}
