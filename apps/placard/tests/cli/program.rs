//! The program itself: its commands, its answers, its handbook.

mod answers;
mod complete;
mod handbook;
mod itself;
