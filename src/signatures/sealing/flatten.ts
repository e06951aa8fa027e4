import { type FormField, type PDF, PdfNumber } from '@libpdf/core';
import { ownResources } from './page-box.ts';

const readOnly = 1;

/** Makes the fields of a form part of its pages, as they look. Of a field that is not drawn yet its value is drawn. */
export function flattenForm(pdf: PDF): void {
  const form = pdf.getForm();
  if (!form) return;
  for (const { dict } of pdf.getPages()) ownResources(pdf, dict);
  const all = form.properties.needAppearances;
  for (const field of form.getFields()) {
    if (!('needsAppearanceUpdate' in field) || !(all || isUndrawn(field))) continue;
    field.needsAppearanceUpdate = true;
    // The library draws none that may not be changed.
    if (field.isReadOnly()) field.acroField().set('Ff', PdfNumber.of(field.flags & ~readOnly));
  }
  form.flatten();
}

function isUndrawn(field: FormField): boolean {
  const value = field.getValue();
  return value !== null && value !== undefined && value !== '' && field.getWidgets().some((widget) => !widget.hasNormalAppearance());
}
