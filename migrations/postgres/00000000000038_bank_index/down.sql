-- PostgreSQL needs no other index: see SQLite's.
SELECT 1;
