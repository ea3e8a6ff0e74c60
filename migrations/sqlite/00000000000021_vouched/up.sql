-- From now on verification holds these against the ledger, so that they are
-- made from it once: those from before the program kept them are short.
DELETE FROM advertiser_days;
INSERT INTO advertiser_days (advertiser_id, day, claimed)
  SELECT advertiser_id, received_at / 86400000, CAST(SUM(payout) AS BIGINT) FROM conversions
  WHERE accepted AND reversed_at IS NULL GROUP BY advertiser_id, received_at / 86400000;
UPDATE users SET settled_spend = COALESCE((
  SELECT CAST(SUM(CASE WHEN p.billed > p.put_amount - p.paid_amount THEN p.billed - (p.put_amount - p.paid_amount) ELSE 0 END) AS BIGINT)
  FROM plans p WHERE p.user_id = users.id AND p.settled_at IS NOT NULL), 0)
  WHERE EXISTS (SELECT 1 FROM plans p WHERE p.user_id = users.id AND p.settled_at IS NOT NULL);
UPDATE users SET level = CASE WHEN settled_spend >= 10000000 THEN 5 WHEN settled_spend >= 2500000 THEN 4
  WHEN settled_spend >= 500000 THEN 3 WHEN settled_spend >= 50000 THEN 2 ELSE 1 END;
-- What users did to their own accounts stands in the audit beside the deeds of staff.
CREATE INDEX audit_by_staff ON audit (id) WHERE operator_id IS NOT NULL OR substr(operator_name, 1, 5) <> 'user:';
