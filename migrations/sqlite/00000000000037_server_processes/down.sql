DROP TABLE server_processes;
