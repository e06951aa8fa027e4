import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type ActiveSeal = RowWithout<'seal_authority', 'created_at' | 'list_number' | 'one'> & { authority: Buffer };

/** Returns the active certificate with its key, its authority and the revocation list. */
export const activeSeal = sqlStatement<object, ActiveSeal>(
  `SELECT c.id, c.certificate, c.private_key, a.certificate AS authority, a.revocation_list
   FROM seal_certificate c CROSS JOIN seal_authority a WHERE c.status = 'active'`,
  { private_key: 'an active certificate has its key (CHECK seal_certificate_signs_or_is_over)' },
);

/** Lists the certificates, including earlier ones, newest first. */
export const sealCertificates = sqlStatement<object, RowWithout<'seal_certificate', 'created_at' | 'private_key'>>(
  'SELECT id, certificate, status, ends_at, revoked_at FROM seal_certificate ORDER BY created_at DESC, id DESC LIMIT 1000',
);

export const publishedAuthority = sqlStatement<object, { certificate: Buffer; revocation_list: Buffer }>(
  'SELECT certificate, revocation_list FROM seal_authority',
);

export const authorityWithKey = sqlStatement<object, RowWithout<'seal_authority', 'created_at' | 'one' | 'revocation_list'>>(
  'SELECT id, certificate, private_key, list_number FROM seal_authority',
);

type NewAuthority = { id: string; certificate: Buffer; privateKey: Buffer; list: Buffer };

export const insertAuthority = sqlStatement<NewAuthority, never>(
  `INSERT INTO seal_authority (id, certificate, private_key, revocation_list, list_number)
   VALUES ($id, $certificate, $privateKey, $list, 1)`,
);

export const keepRevocationList = sqlStatement<{ id: string; list: Buffer; number: number }, never>(
  'UPDATE seal_authority SET revocation_list = $list, list_number = $number WHERE id = $id',
);

/** Retires or revokes the active certificate, and deletes its private key so that no stored copy can sign again. */
export const retireSeal = sqlStatement<{ revoked: boolean }, { id: string }>(
  `UPDATE seal_certificate SET status = CASE WHEN $revoked THEN 'revoked' ELSE 'retired' END, private_key = NULL,
     revoked_at = CASE WHEN $revoked THEN now() END WHERE status = 'active' RETURNING id`,
);

export const insertSeal = sqlStatement<{ id: string; certificate: Buffer; privateKey: Buffer; endsAt: Date }, never>(
  `INSERT INTO seal_certificate (id, certificate, private_key, status, ends_at) VALUES ($id, $certificate, $privateKey, 'active', $endsAt)`,
);
