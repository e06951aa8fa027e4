import type { Reader } from '../../../platform/database/database.ts';
import { accentOf } from './colours.ts';
import * as queries from './queries.ts';
import { logoPath } from './service.ts';

/** Whose page or mail it is, as it is shown: `logo` is a path. */
export type Brand = { name: string; logo?: string; colour?: string };
type Db = Pick<Reader, 'first'>;

/** How what the public sees of a team looks; `called` is the team's own name. */
export async function brandOfTeam(db: Db, team: string, called: string): Promise<Brand> {
  const { name = called, colour = null, logo_hash: hash = null } = (await db.first(queries.drawnBrand, { team, called })) ?? {};
  return {
    name,
    ...(colour === null ? {} : { colour }),
    ...(hash === null ? {} : { logo: logoPath(team, hash) }),
  };
}

/** What a mail shows of a team: the logo by its whole address, the colour so that it can be seen on a light ground. */
export function lookOf(baseUrl: string, { name, logo, colour }: Brand): { name: string; logoUrl?: string; colour?: string } {
  const accent = colour === undefined ? undefined : accentOf(colour);
  return { name, ...(logo === undefined ? {} : { logoUrl: `${baseUrl}${logo}` }), ...(accent ? { colour: accent.light } : {}) };
}

/** What a document shows of a team beside its own name, which is that of who issued it: its logo, and a colour that can be read on white. */
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
