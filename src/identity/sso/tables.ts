import { namedById, ofTheService, ofTheTeam, type Tables } from '../../platform/tables.ts';

export const ssoTables: Tables = {
  sso_connection: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: { by: ['created_by'], leaving: { stays: 'stays active, and the owner is notified' }, exported: false, erasure: namedById },
  },
  saml_connection: ofTheTeam,
  saml_certificate: { ...ofTheTeam, exportedBytes: ['certificate', 'fingerprint'] },
  saml_request: ofTheService,
  saml_response: ofTheService,
  sso_domain: ofTheTeam,
  sso_state_spent: ofTheService,
};
