/** A small template: one line with the values. */
export const smallTemplate = (name = 'Small') => ({
  name,
  source: '#set document(title: "Small")\n#json(bytes(sys.inputs.data)).name',
  schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } }, examples: [{ name: 'Ada' }] },
});
