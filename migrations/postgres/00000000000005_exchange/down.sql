DROP TABLE chargebacks;
DROP TABLE acceptance_tries;
DROP TABLE exchange_orders;
DROP TABLE exchange_quotes;
DROP TABLE acceptor_rates;
DROP TABLE acceptors;
-- Rejected recharges are gone with what could reject them.
DROP INDEX recharges_reference;
DELETE FROM recharges WHERE status = 2;
ALTER TABLE recharges ADD CONSTRAINT recharges_reference_key UNIQUE (reference);
