/** Files: the instruction texts of an agent, with versions. */
export { readFileName } from './names.ts';
export { agentFileRoutes } from './routes.ts';
export { readTexts, writeFile } from './service.ts';
