/** The contents of an evidence pack. */
export { contentsOf, versionsOf } from './contents.ts';
export { type Manifest, manifestOf, partsOfManifest } from './manifest.ts';
export { bytesOf, type PackPart } from './part.ts';
