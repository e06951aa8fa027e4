import { fieldError, problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Sso } from '../context.ts';
import { ssoProblems } from '../problems.ts';
import type { SamlSettings } from '../queries.ts';
import { maxCertificates, type ProviderCertificate, readCertificate } from './certificates.ts';
import * as queries from './queries.ts';
import { type NameIdFormat, RejectedXml, xmlBounds } from './xml.ts';

/** Reads descriptions of providers and fetches their metadata. */
export type MetadataReader = Pick<Sso, 'fetch' | 'checkUrl' | 'saml'>;

/** A provider as an administrator describes it: by its metadata, by their address, or by single members. */
export type ProviderInput = {
  issuer?: string | undefined;
  ssoUrl?: string | undefined;
  certificates?: string[] | undefined;
  metadataXml?: string | undefined;
  metadataUrl?: string | undefined;
  nameIdFormat?: NameIdFormat | undefined;
  allowIdpInitiated?: boolean | undefined;
};

/** The entity ID, the sign-in address and the certificates of a provider. `metadataUrl` is the address that they were read from. */
export type SamlProvider = { issuer: string; ssoUrl: string; certificates: ProviderCertificate[]; metadataUrl?: string };

/** Changes to a provider. Absent members keep their value. */
export type ProviderChange = Partial<SamlProvider>;

const invalid = (detail: string) => ssoProblems.saml_metadata_invalid(detail);

/**
 * Reads the given description of a provider. Fetches `metadataUrl`, so no transaction may be open. Members that describe no provider are ignored.
 * Throws 400 or 422 `saml_metadata_invalid`.
 */
export async function readProvider(sso: MetadataReader, team: string, input: ProviderInput, now: number): Promise<ProviderChange> {
  const { metadataXml, metadataUrl, issuer, ssoUrl, certificates } = input;
  const byMembers = issuer !== undefined || ssoUrl !== undefined || certificates !== undefined;
  const ways = [metadataXml !== undefined, metadataUrl !== undefined, byMembers].filter(Boolean).length;
  if (ways > 1)
    throw problems.validation_failed('Send one of `metadataXml`, `metadataUrl`, or `issuer` with `ssoUrl` and `certificates`.', {
      errors: [fieldError('/metadataXml', 'excludes the other members that describe the provider', 'oneOf')],
    });
  if (metadataXml !== undefined) return fromMetadata(sso, team, Buffer.from(metadataXml), now);
  if (metadataUrl !== undefined) return fetchProvider(sso, team, metadataUrl, now);
  return {
    ...(issuer === undefined ? {} : { issuer: checkedEntityId(issuer) }),
    ...(ssoUrl === undefined ? {} : { ssoUrl: checkedUrl(sso, '/ssoUrl', ssoUrl) }),
    ...(certificates === undefined ? {} : { certificates: checkedCertificates(certificates) }),
  };
}

/** Reads the metadata of a provider from their address. Throws 400 or 422 `saml_metadata_invalid`. */
export async function fetchProvider(sso: MetadataReader, team: string, given: string, now: number): Promise<SamlProvider> {
  const metadataUrl = checkedUrl(sso, '/metadataUrl', given);
  const answer = await sso
    .fetch(metadataUrl, { headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' } })
    .catch(() => {
      throw invalid('The metadata cannot be fetched. Check `metadataUrl`, or send the metadata as `metadataXml`.');
    });
  if (answer.status !== 200) throw invalid(`The address of the metadata responds with status ${answer.status}. It must respond with 200.`);
  return { ...(await fromMetadata(sso, team, Buffer.from(await answer.arrayBuffer()), now)), metadataUrl };
}

const reasons: Record<string, string> = {
  too_large: `have more than ${xmlBounds.bytes / 1024} KiB`,
  markup_declaration: 'contain a DOCTYPE, a comment or CDATA',
  one_EntityDescriptor: 'must have one `EntityDescriptor` as the root',
  one_IDPSSODescriptor: 'must have one `IDPSSODescriptor` for SAML 2.0',
  no_redirect_binding: 'have no `SingleSignOnService` with the HTTP-Redirect binding',
  no_entity_id: 'have no `entityID`',
  expired: 'have expired (`validUntil`)',
};

async function fromMetadata(sso: MetadataReader, team: string, bytes: Buffer, now: number): Promise<SamlProvider> {
  try {
    const { entityId, ssoUrl, certificates } = await sso.saml.metadata(team, bytes, now);
    return {
      issuer: checkedEntityId(entityId),
      ssoUrl: checkedUrl(sso, '/ssoUrl', ssoUrl),
      certificates: checkedCertificates(certificates),
    };
  } catch (error) {
    if (!(error instanceof RejectedXml)) throw error;
    throw invalid(`The metadata ${reasons[error.reason] ?? `cannot be read (${error.reason})`}. Export them again from the provider.`);
  }
}

/** Returns an entity ID (SAML 2.0 Core, section 8.3.6: at most 1024 characters). It is compared exactly. */
function checkedEntityId(entityId: string): string {
  if (entityId === '' || entityId.length > 1_024 || !entityId.isWellFormed() || /[\p{Cc}\s]/u.test(entityId))
    throw invalid('The entity ID of the provider must have 1 to 1024 characters, without spaces.');
  return entityId;
}

function checkedUrl(sso: MetadataReader, pointer: string, given: string): string {
  const checked = sso.checkUrl(given.trim());
  if (checked.ok) return checked.url;
  throw problems.validation_failed(`\`${pointer.slice(1)}\` ${checked.reason}.`, {
    errors: [fieldError(pointer, checked.reason, checked.rule)],
  });
}

function checkedCertificates(given: readonly string[]): ProviderCertificate[] {
  const read = given.map((text, index) => {
    const certificate = readCertificate(text);
    if ('reason' in certificate) throw invalid(`Certificate ${index + 1} ${certificate.reason}.`);
    return certificate;
  });
  if (read.length === 0) throw invalid('The provider has no certificate that signs. Send at least one.');
  if (read.length > maxCertificates) throw invalid(`The provider has more than ${maxCertificates} certificates. Send those in use.`);
  return read;
}

/** Returns a complete provider. Throws 400 for missing members. */
export function completeProvider(input: ProviderChange): SamlProvider {
  const { issuer, ssoUrl, certificates, metadataUrl } = input;
  if (issuer === undefined || ssoUrl === undefined || certificates === undefined)
    throw problems.validation_failed(
      'Describe the provider by `metadataUrl`, `metadataXml`, or `issuer` with `ssoUrl` and `certificates`.',
      {
        errors: [fieldError('/metadataUrl', 'or another description of the provider is required', 'required')],
      },
    );
  return { issuer, ssoUrl, certificates, ...(metadataUrl === undefined ? {} : { metadataUrl }) };
}

type Stored = { kept?: SamlSettings; input: ProviderInput; provider: ProviderChange };

/** Stores the settings of a SAML connection. Members that `provider` and `input` do not have keep their value. */
export function putSamlSettings(scope: Scope, id: string, { kept, input, provider }: Stored): void {
  const one = { team: scope.team, id };
  const describes = provider.certificates !== undefined || provider.ssoUrl !== undefined;
  const metadataUrl = provider.metadataUrl ?? (describes ? undefined : kept?.metadataUrl);
  scope.db.send(queries.putSaml, {
    ...one,
    ssoUrl: provider.ssoUrl ?? kept?.ssoUrl ?? '',
    nameIdFormat: input.nameIdFormat ?? kept?.nameIdFormat ?? 'persistent',
    allowsIdpInitiated: input.allowIdpInitiated ?? kept?.allowsIdpInitiated ?? false,
    metadataUrl: metadataUrl ?? null,
    readAt: provider.metadataUrl !== undefined ? scope.now : kept?.readAt === undefined ? null : new Date(kept.readAt),
  });
  if (provider.certificates) putCertificates(scope, id, provider.certificates);
}

/** Replaces the certificates of a connection. */
export function putCertificates(scope: Scope, id: string, certificates: readonly ProviderCertificate[]): void {
  const one = { team: scope.team, id, fingerprints: certificates.map(({ fingerprint }) => fingerprint) };
  scope.db.send(queries.dropOtherCertificates, one);
  scope.db.send(queries.forgetEnding, { team: scope.team, id });
  scope.db.send(queries.addCertificates, {
    ...one,
    certificates: certificates.map(({ der }) => der),
    ends: certificates.map(({ endsAt }) => endsAt),
    at: scope.now,
  });
}
