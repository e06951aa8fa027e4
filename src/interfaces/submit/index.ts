/** Submitting: what a visitor or a program sends to an interface, what follows from it, and what they see of it afterwards. */
export { type Submitting } from './context.ts';
export { submitRoutes } from './routes.ts';
