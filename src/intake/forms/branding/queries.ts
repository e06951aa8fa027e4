import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type OfTeam = { team: string };

export type BrandRow = RowWithout<'team_brand', 'logo' | 'logo_type' | 'team_id'>;

const columns = 'name, colour, logo_hash, version, updated_at';
export const findBrand = sqlStatement<OfTeam, BrandRow>(`SELECT ${columns} FROM team_brand WHERE team_id = $team`);

/** Creates the branding row if it is missing. The next statement locks it, which serializes concurrent changes. */
export const beginBrand = sqlStatement<OfTeam & { at: Date }, never>(
  'INSERT INTO team_brand (team_id, version, updated_at) VALUES ($team, 0, $at) ON CONFLICT DO NOTHING',
);
export const lockBrand = sqlStatement<OfTeam, BrandRow>(`SELECT ${columns} FROM team_brand WHERE team_id = $team FOR NO KEY UPDATE`);

export const updateBrand = sqlStatement<OfTeam & { name: string | null; colour: string | null; at: Date }, never>(
  'UPDATE team_brand SET name = $name, colour = $colour, version = version + 1, updated_at = $at WHERE team_id = $team',
);
export const putLogo = sqlStatement<OfTeam & { logo: Buffer | null; type: string | null; hash: string | null }, never>(
  'UPDATE team_brand SET logo = $logo, logo_type = $type, logo_hash = $hash WHERE team_id = $team',
);

/** The branding of a team with its name. `$called` is the default name. */
export type DrawnBrand = { name: string; colour: string | null; logo_hash: string | null };
export const drawnBrand = sqlStatement<OfTeam & { called: string }, DrawnBrand>(
  `SELECT coalesce(b.name, $called) AS name, b.colour, b.logo_hash FROM (SELECT) one LEFT JOIN team_brand b ON b.team_id = $team`,
);

/** Returns the logo of a team. */
export const drawnLogo = sqlStatement<OfTeam, { logo: Buffer; logo_type: string }>(
  'SELECT logo, logo_type FROM team_brand WHERE team_id = $team AND logo IS NOT NULL AND logo_type IS NOT NULL',
);

/** Returns a logo by the hash in its address. */
export const logoOf = sqlStatement<OfTeam & { hash: string }, { logo: Buffer; logo_type: string }>(
  'SELECT logo, logo_type FROM team_brand WHERE team_id = $team AND logo_hash = $hash AND logo IS NOT NULL AND logo_type IS NOT NULL',
);
