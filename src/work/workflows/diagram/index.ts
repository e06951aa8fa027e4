/** The picture of a workflow: where its steps stand, drawn in a thread of its own, and what it looks like as SVG. */
export { type Layouts, openLayouts } from './layouts.ts';
export { diagramRoute } from './routes.ts';
