/** Presets: settings and texts of an agent for one kind of work. A team can change an agent after it applied a preset. */
export { presetRoutes } from './routes.ts';
