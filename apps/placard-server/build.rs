//! How the server is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Addresses inside the program are listed in a hundredth of the room. The list is read at every start, so it
    // would take memory from then on. It needs glibc 2.36; Debian 12 has it.
    if std::env::var_os("CARGO_CFG_TARGET_ENV").is_some_and(|env| env == "gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
