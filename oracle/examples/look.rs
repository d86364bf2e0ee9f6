use shfence_corpus::*;
use shfence_oracle::{engine::*, installations::installations};
fn main() {
    let line = std::env::args().nth(2).unwrap();
    let mut config = EngineConfig::new(std::env::args().nth(1).unwrap());
    config.verify = std::env::var("VERIFY").is_ok();
    if let Ok(c) = std::env::var("CPU") { config.cpu = Some(c.parse().unwrap()); }
    let e = |p: &str, node| Entry { path: RelPath::new(p).unwrap(), node };
    let tree = TreeSpec::new([
        e("proj/src/main.txt", Node::File { text: "hello\n".into(), executable: false }),
        e("outside/secret", Node::File { text: "secret\n".into(), executable: false }),
        e("proj/out", Node::Link { to: "../outside".into() }),
        e("proj/dang", Node::Link { to: "/case/outside/missing".into() }),
    ]).unwrap();
    let case = Case::new(line.as_str(), tree);
    let mut engine = match Engine::start(&config) { Ok(e) => e, Err(e) => { eprintln!("{e}"); std::process::exit(69) } };
    println!("{:?}", engine.tier());
    let all = installations();
    if let Some(n) = std::env::args().nth(3) {
        let n: usize = n.parse().unwrap();
        let trio: Vec<_> = all.iter().filter(|i| ["bash", "dash", "zsh"].contains(&i.id.name.as_str())).collect();
        let t = std::time::Instant::now();
        for _ in 0..n { for i in &trio { engine.run(&case, i).unwrap(); } }
        let s = t.elapsed().as_secs_f64();
        println!("{:.0} cases/s, {:.0} runs/s", n as f64 / s, 3.0 * n as f64 / s);
        return;
    }
    for i in &all {
        match engine.run(&case, i) {
            Ok(t) => {
                println!("== {} {} {:?} {:?}", t.shell.name, t.shell.version, t.status, t.output);
                for e in t.execs { println!("  EXEC {} {:?} in {} = {}", e.pid, e.argv, e.cwd, e.path); }
                for x in t.touches { if x.resolved.starts_with(b"/case") || std::env::var("ALL").is_ok() { println!("  {} {:?} {} -> {} {}", x.pid, x.kind, x.text, x.resolved, x.existed); } }
            }
            Err(e) => println!("== {} ERROR {e}", i.id.name),
        }
    }
}
