import { readFileSync } from 'node:fs';

/** The custom properties of the design, as CSS. Every page of the service begins with them. */
export const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
