DROP TABLE exported_payments;
DROP TABLE payment_files;
