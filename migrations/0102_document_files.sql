-- Files are looked up by their key when they are compared with what refers to them.
CREATE INDEX document_version_file ON document_version (storage_key);
