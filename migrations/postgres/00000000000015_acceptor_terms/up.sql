-- An acceptor is a draft until a second person has approved its terms.
ALTER TABLE acceptors ADD COLUMN draft BOOLEAN NOT NULL DEFAULT FALSE;
-- The rate that was agreed on before this one.
ALTER TABLE acceptor_rates ADD COLUMN rate_before TEXT;
