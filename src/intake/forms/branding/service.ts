import { createHash } from 'node:crypto';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { nameWithoutLink } from '../../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { accentOf } from './colours.ts';
import { brandingUpdated } from './events.ts';
import { type Picture, pictureOf } from './picture.ts';
import { brandingProblems } from './problems.ts';
import * as queries from './queries.ts';
import { type Branding, type BrandingBody, maxLogoBytes } from './schemas.ts';

const maxPixels = 2_000;

/** Returns the path of a logo. It contains the hash of the content, so browsers can cache it. */
export const logoPath = (team: string, hash: string): string => `/logos/${team}/${hash}`;

/** Returns the branding of the team. */
export async function getBranding(scope: ReadScope | Scope, baseUrl: string): Promise<Versioned<Branding>> {
  const row = await scope.db.first(queries.findBrand, { team: scope.team });
  return { value: row ? present(row, scope.team, baseUrl) : {}, version: row?.version ?? 0 };
}

function present({ name, colour, logo_hash: hash, updated_at: updatedAt }: queries.BrandRow, team: string, baseUrl: string): Branding {
  const shown = colour === null ? undefined : accentOf(colour);
  return {
    ...(name === null ? {} : { name }),
    ...(colour === null ? {} : { colour }),
    ...(shown === undefined ? {} : { shown }),
    ...(hash === null ? {} : { logoUrl: `${baseUrl}${logoPath(team, hash)}` }),
    updatedAt,
  };
}

/** Changes the branding of the team. Throws 412, 422 `logo_invalid`, `validation_failed`. */
export async function updateBranding(
  scope: Scope,
  baseUrl: string,
  { name, colour, logo }: BrandingBody,
  expect: VersionCheck,
): Promise<Versioned<Branding>> {
  const { db, team, now: at } = scope;
  // Validate before acquiring locks.
  const picture = typeof logo === 'string' ? logoFrom(logo) : undefined;
  const called = typeof name === 'string' ? nameWithoutLink(name) : name;
  db.send(queries.beginBrand, { team, at });
  const kept = await db.first(queries.lockBrand, { team });
  if (!kept) throw problems.conflict('The branding is being changed. Send the request again.');
  expect(kept.version);
  const next = {
    name: called === undefined ? kept.name : called,
    colour: colour === undefined ? kept.colour : (colour?.toLowerCase() ?? null),
    logo: logo === undefined ? kept.logo_hash : (picture?.hash ?? null),
  };
  const members = [
    ...(next.name === kept.name ? [] : ['name']),
    ...(next.colour === kept.colour ? [] : ['colour']),
    ...(next.logo === kept.logo_hash ? [] : ['logo']),
  ];
  if (members.length === 0 && kept.version > 0) return getBranding(scope, baseUrl);
  db.send(queries.updateBrand, { team, name: next.name, colour: next.colour, at });
  if (logo !== undefined)
    db.send(queries.putLogo, { team, logo: picture?.bytes ?? null, type: picture?.mediaType ?? null, hash: next.logo });
  await recordAudit(scope, brandingUpdated, team, { members });
  return getBranding(scope, baseUrl);
}

function logoFrom(text: string): Picture & { hash: string } {
  const bytes = Buffer.from(text, 'base64');
  const picture = bytes.length > maxLogoBytes ? undefined : pictureOf(bytes);
  if (!picture) throw brandingProblems.logo_invalid('The logo must be a complete PNG or JPEG of at most 256 KiB. Send another file.');
  const { width, height } = picture;
  if (width > maxPixels || height > maxPixels)
    throw brandingProblems.logo_invalid(
      `The logo has ${width} × ${height} pixels; the maximum is ${maxPixels} × ${maxPixels}. Send a smaller one.`,
    );
  return { ...picture, hash: createHash('sha256').update(picture.bytes).digest('hex') };
}
