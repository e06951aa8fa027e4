/** Presets: settings and texts of an agent for a kind of work. A team can change them after they are applied. */
export { presetRoutes } from './routes.ts';
