/** Files: the texts that an agent works with, version by version. */
export { readFileName } from './names.ts';
export { agentFileRoutes } from './routes.ts';
export { readTexts, writeFile } from './service.ts';
