-- Where people are paid to, and codes that are still good, are sealed by the
-- program (crates/auth/src/vault.rs). Only it has the key: rows from before are
-- sealed when it next opens the database (crates/store/src/at_rest.rs), which
-- is then noted here.
ALTER TABLE installation ADD COLUMN sealed_at BIGINT;

-- One text for all that is bound, in the form that withdrawals keep it in.
ALTER TABLE bank_cards ADD COLUMN destination TEXT NOT NULL DEFAULT '';
UPDATE bank_cards SET destination = CASE method
  WHEN 1 THEN json_build_object('method', 'bank_card', 'card_name', card_name, 'user_name', user_name, 'mobile', mobile, 'bank_name', bank_name, 'bank_account', bank_account, 'branch_name', branch_name, 'beneficiary_name', beneficiary_name, 'bank_address', bank_address)::text
  ELSE json_build_object('method', 'wallet_address', 'network', network, 'address', address)::text
END;
ALTER TABLE bank_cards DROP COLUMN method;
ALTER TABLE bank_cards DROP COLUMN card_name;
ALTER TABLE bank_cards DROP COLUMN user_name;
ALTER TABLE bank_cards DROP COLUMN mobile;
ALTER TABLE bank_cards DROP COLUMN bank_name;
ALTER TABLE bank_cards DROP COLUMN bank_account;
ALTER TABLE bank_cards DROP COLUMN branch_name;
ALTER TABLE bank_cards DROP COLUMN beneficiary_name;
ALTER TABLE bank_cards DROP COLUMN bank_address;
ALTER TABLE bank_cards DROP COLUMN network;
ALTER TABLE bank_cards DROP COLUMN address;

-- A keyed hash in hexadecimal; until it is sealed, the code itself.
ALTER TABLE authorization_codes RENAME COLUMN code TO code_hash;
-- Its last letters, by which people tell codes apart.
ALTER TABLE authorization_codes ADD COLUMN ending TEXT NOT NULL DEFAULT '';
-- In a simulated installation the code itself until it is used: the
-- demonstration prints it again.
ALTER TABLE authorization_codes ADD COLUMN sealed TEXT;
