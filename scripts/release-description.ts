/** `npm run release-description`: keeps the description as that of a release, with which later ones are compared. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { apiDescription } from './api-description.ts';
import { comparable } from './breaking-changes.ts';

mkdirSync('openapi', { recursive: true });
writeFileSync('openapi/released.json', `${JSON.stringify(comparable(JSON.parse(apiDescription())), null, 1)}\n`);
