//! The program itself: its commands, its answers, its handbook.

mod answers;
mod complete;
mod full_disk;
mod handbook;
mod itself;
