-- The signers of the signature fields that the first example of a version places. NULL: a version from before this column.
ALTER TABLE document_template_version ADD COLUMN signers text[];

-- The reason of a failure, for people. `outcome` has its code.
ALTER TABLE workflow_step ADD COLUMN detail text;
