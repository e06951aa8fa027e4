import { ofTheService, type Table, type Tables } from '../../platform/tables.ts';

const ofOne: Table = {
  ...ofTheService,
  people: { by: ['staff_id'], leaving: { stays: 'staff are in no team' }, exported: false, erasure: 'deleted' },
};

/** The tables of this domain. Staff belong to no team. */
export const staffTables: Tables = {
  staff: {
    ...ofTheService,
    people: {
      by: ['id', 'email', 'email_key'],
      leaving: { stays: 'staff are in no team' },
      exported: true,
      erasure: 'emptied',
    },
  },
  staff_backup_code: ofOne,
  staff_challenge: ofOne,
  staff_password_link: ofOne,
  staff_totp_setup: ofOne,
  staff_session: {
    ...ofTheService,
    people: { by: ['staff_id'], leaving: { stays: 'staff are in no team' }, exported: true, erasure: 'deleted' },
  },
};
