-- When its user's limits took promises back: the times in milliseconds, with commas between them.
ALTER TABLE plans ADD COLUMN lowered TEXT NOT NULL DEFAULT '';
