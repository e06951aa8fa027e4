import type { Reader } from '../../../platform/database/database.ts';
import { accentOf } from './colours.ts';
import * as queries from './queries.ts';
import { logoPath } from './service.ts';

/** The name, logo and colour on a page or in a mail. `logo` is a path. */
export type Brand = { name: string; logo?: string; colour?: string };
type Db = Pick<Reader, 'first'>;

/** Returns the branding of a team. `called` is the default name. */
export async function brandOfTeam(db: Db, team: string, called: string): Promise<Brand> {
  const { name = called, colour = null, logo_hash: hash = null } = (await db.first(queries.drawnBrand, { team, called })) ?? {};
  return {
    name,
    ...(colour === null ? {} : { colour }),
    ...(hash === null ? {} : { logo: logoPath(team, hash) }),
  };
}

/** Returns the branding for a mail: the full URL of the logo, and a colour that is readable on a light background. */
export function mailBrandOf(baseUrl: string, { name, logo, colour }: Brand): { name: string; logoUrl?: string; colour?: string } {
  const accent = colour === undefined ? undefined : accentOf(colour);
  return { name, ...(logo === undefined ? {} : { logoUrl: `${baseUrl}${logo}` }), ...(accent ? { colour: accent.light } : {}) };
}

/** Returns the logo of a team and a colour that is readable on white, for a document. The name on a document is that of its issuer. */
export async function brandOfDocument(db: Db, team: string, called: string) {
  const { colour } = await brandOfTeam(db, team, called);
  const logo = await db.first(queries.drawnLogo, { team });
  const accent = colour === undefined ? undefined : accentOf(colour);
  const type: 'png' | 'jpg' = logo?.logo_type === 'image/png' ? 'png' : 'jpg';
  return {
    ...(accent ? { accent: accent.light } : {}),
    ...(logo ? { logo: { bytes: logo.logo, type, alt: called } } : {}),
  };
}
