import { dependenciesOf, type Lock } from './libraries.ts';

/** Returns the name of a package: of its entry, or of its folder. */
const nameOf = (lock: Lock, folder: string) => lock[folder]?.name ?? folder.replace(/^.*(?:node_modules|packages)\//, '');
const purlOf = (lock: Lock, folder: string) => `pkg:npm/${nameOf(lock, folder).replace('@', '%40')}@${lock[folder]?.version}`;

function componentOf(lock: Lock, folder: string, type: 'application' | 'library') {
  const { version, license, integrity } = lock[folder] ?? {};
  const [group, name] = nameOf(lock, folder).split(/\/(?=[^/]+$)/);
  const purl = purlOf(lock, folder);
  return {
    type,
    'bom-ref': purl,
    ...(name === undefined ? { name: group } : { group, name }),
    version,
    purl,
    ...(license === undefined ? {} : { licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }] }),
    ...(integrity === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }] }),
  };
}

/**
 * Returns the bill of materials (CycloneDX 1.6) of a package. It lists the libraries in these folders with licences, hashes of their archives and
 * dependencies. It has no time and no serial number, so that the same tree has the same bill.
 */
export function sbom(lock: Lock, { of, direct, folders }: { of: string; direct: readonly string[]; folders: readonly string[] }): string {
  const included = new Set(folders);
  const refs = (some: readonly string[]) =>
    [...new Set(some.filter((one) => included.has(one)).map((one) => purlOf(lock, one)))].toSorted();
  const root = componentOf(lock, of, 'application');
  const components = new Map(folders.map((folder) => [purlOf(lock, folder), componentOf(lock, folder, 'library')]));
  const dependencies = new Map(folders.map((folder) => [purlOf(lock, folder), refs(dependenciesOf(lock, folder))]));
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: root },
    components: [...components.values()],
    dependencies: [
      { ref: root['bom-ref'], dependsOn: refs(direct) },
      ...Array.from(dependencies, ([ref, dependsOn]) => ({ ref, dependsOn })),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
