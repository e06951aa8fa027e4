import { ofTheService, type People, type Table, type Tables } from '../../platform/tables.ts';

/** A person's own, which they take along to another team. */
const own: People = { by: ['account_id'], leaving: 'follows', exported: false, erasure: 'deleted' };
const begunAgain: Table = { purge: 'erased', legalHold: false, people: { ...own, leaving: { stays: 'begun again' } } };
const taken: Table = { purge: 'erased', legalHold: false, people: own };

/** What this domain keeps; a team comes with the account of its owner, and signing in asks for both. */
export const accountTables: Tables = {
  team: { purge: 'kept', legalHold: true },
  account: {
    purge: 'kept',
    legalHold: true,
    people: {
      by: ['id', 'email', 'email_key'],
      leaving: { stays: 'as a tombstone without personal data, so that what names the person resolves; `ownColumns` follow' },
      exported: true,
      erasure: 'emptied',
    },
  },
  password_reset: taken,
  two_factor: taken,
  backup_code: taken,
  email_change: { ...taken, people: { ...own, by: ['account_id', 'email', 'email_key'], exported: true } },
  passkey: { ...taken, people: { ...own, exported: true } },
  two_factor_setup: begunAgain,
  sign_in_challenge: begunAgain,
  session: {
    purge: 'erased',
    legalHold: false,
    people: {
      by: ['account_id'],
      leaving: { stays: 'ends with the membership; the device that moves gets a new one' },
      exported: true,
      erasure: 'deleted',
    },
  },
  federated_identity: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['account_id', 'email'], leaving: { stays: 'ends with the membership' }, exported: true, erasure: 'deleted' },
  },
  registration: {
    ...ofTheService,
    people: { by: ['email', 'email_key'], leaving: { stays: 'is of nobody’s team yet' }, exported: true, erasure: 'deleted' },
  },
  altcha_spent: ofTheService,
  passkey_challenge_spent: ofTheService,
};
