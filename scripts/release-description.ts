/** `npm run release-description`: stores the API description of a release. Later descriptions are compared with it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { apiDescription } from './api-description.ts';
import { comparable } from './breaking-changes.ts';

/** Formats JSON with one line for each entry down to this depth, so that a diff shows the changed paths and schemas. */
const depthOfLines = 3;

function lines(value: unknown, depth = depthOfLines): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{\n${entries.map(([name, member]) => `${JSON.stringify(name)}: ${lines(member, depth - 1)}`).join(',\n')}\n}`;
}

mkdirSync('openapi', { recursive: true });
writeFileSync('openapi/released.json', `${lines(comparable(JSON.parse(apiDescription())))}\n`);
