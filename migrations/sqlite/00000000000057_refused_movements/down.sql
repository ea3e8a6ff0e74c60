DROP TABLE refused_movements;
