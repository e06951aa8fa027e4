/** Presets: agents that are set up for a kind of work, with texts that a team makes its own. */
export { presetRoutes } from './routes.ts';
