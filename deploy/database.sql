-- The first start of PostgreSQL runs this file. The user of Chancery owns its database, creates its roles, and is no superuser.
\set password `cat /run/secrets/database-password`
CREATE ROLE chancery LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE chancery OWNER chancery;
