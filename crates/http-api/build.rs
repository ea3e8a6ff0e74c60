//! The server embeds the built frontend. Building without it must work too, so that the
//! crates can be tested alone.

fn main() {
    let folder = std::path::Path::new("../../frontend/dist");
    if let Err(error) = std::fs::create_dir_all(folder) {
        println!("cargo::error=cannot make {}: {error}", folder.display());
    }
    println!("cargo::rerun-if-changed=../../frontend/dist");
}
