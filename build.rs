//! Names the newest migration, which readiness asks for (src/areas/health/mod.rs).

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    let names = std::fs::read_dir("migrations").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let newest = names.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".sql")).max();
    println!("cargo::rustc-env=NEWEST_MIGRATION={}", newest.unwrap_or_default());
}
