import { ofTheService, type People, type Table, type Tables } from '../../platform/tables.ts';

/** Tables with data of a person, which do not depend on a team. */
const own: People = { by: ['person_id'], leaving: { stays: 'belongs to the person' }, exported: false, erasure: 'deleted' };
const ofPerson: Table = { purge: 'of no team', legalHold: false, people: own };

/** The tables of this domain. It includes the team, because a team is created with its owner’s account and every sign-in reads both. */
export const accountTables: Tables = {
  team: { purge: 'kept', legalHold: true },
  team_policy: { purge: 'erased', legalHold: false },
  person: {
    purge: 'of no team',
    legalHold: true,
    people: {
      by: ['email', 'email_key'],
      leaving: { stays: 'belongs to the person' },
      exported: true,
      erasure: 'emptied',
    },
  },
  account: {
    purge: 'kept',
    legalHold: true,
    people: {
      by: ['id', 'email', 'email_key', 'sponsor_id'],
      leaving: { stays: 'as a tombstone without personal data, so that identifiers resolve' },
      exported: true,
      erasure: 'emptied',
    },
  },
  password_reset: ofPerson,
  two_factor: ofPerson,
  backup_code: ofPerson,
  email_change: { ...ofPerson, people: { ...own, by: ['person_id', 'email', 'email_key'], exported: true } },
  passkey: { ...ofPerson, people: { ...own, exported: true } },
  two_factor_setup: ofPerson,
  sign_in_challenge: ofPerson,
  sign_in: { ...ofPerson, people: { ...own, exported: true } },
  session: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['account_id'], leaving: { stays: 'ends with the membership' }, exported: true, erasure: 'deleted' },
  },
  federated_identity: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['account_id', 'email'], leaving: { stays: 'ends with the membership' }, exported: true, erasure: 'deleted' },
  },
  registration: {
    ...ofTheService,
    people: { by: ['email', 'email_key'], leaving: { stays: 'belongs to no team yet' }, exported: true, erasure: 'deleted' },
  },
  altcha_spent: ofTheService,
  passkey_challenge_spent: ofTheService,
};
