-- A workflow remembers the state that its document had before, which is one of a document's.
ALTER TABLE workflow ADD CONSTRAINT workflow_document_status_before_check
  CHECK (document_status_before IN ('draft', 'in_review', 'approved', 'signed', 'archived'));
