import { type FormField, type PDF, type PDFForm, PdfArray, PdfDict, PdfNumber, PdfRef } from '@libpdf/core';
import { appearanceOf, asForm, visibilityOf } from './appearance.ts';
import { scanContent } from './content-scan.ts';
import { type Entry, entriesOf, redraw, writable } from './form-values.ts';
import { type Drawing, drawOver } from './page-content.ts';
import { Unsealable } from './port.ts';
import { dictionaryAt, nameAt } from './walk.ts';

const hidden = PdfNumber.of(2);
const buttons: ReadonlySet<string> = new Set(['checkbox', 'radio']);
/** Annotations that show no content of their own. */
const undrawn: ReadonlySet<string> = new Set(['Link', 'Popup', 'Text']);

/** A form value that its page has to show. `redrawable`: nothing is drawn, or the file asks readers to redraw it. */
export type FormValue = { name: string; page: number; text: string; redrawable: boolean };

/**
 * Makes the fields of a form part of its pages, as they look, in the order in which readers draw them. A field without an appearance, and
 * one of `again`, is drawn with its value. Answers the values that the pages have to show.
 */
export function flattenForm(pdf: PDF, again: ReadonlySet<string> = new Set()): FormValue[] {
  const form = pdf.getForm();
  const pages = pdf.getPages().map(({ dict }) => ({ dict, annotations: annotationsOf(pdf, dict) }));
  const pageOf = new Map(pages.flatMap(({ annotations }, page) => annotations.map(({ dict }) => [dict, page] as const)));
  refusePrintOnly(pdf, pages);
  const fields = form?.getFields() ?? [];
  const entries = fields.flatMap((field) => entriesOf(field, (widget) => isDrawnOn(pdf, pageOf, widget)));
  const anyway = form?.properties.needAppearances ?? false;
  const values = entries.flatMap((entry) => (mayDiffer(pdf, entry, again) ? [] : valuesOf(entry, pageOf, anyway)));
  redraw(
    pdf,
    entries.filter((entry) => again.has(entry.field.name) || entry.widgets.some((widget) => !widget.hasNormalAppearance())),
  );
  drawButtons(pdf, form);
  for (const { dict, annotations } of pages) flattenPage(pdf, dict, annotations);
  // The library removes the rest of the form, which no longer draws anything.
  for (const field of fields) for (const widget of field.getWidgets()) widget.dict.set('F', hidden);
  form?.flatten({ skipAppearanceUpdate: true });
  return values;
}

type Annotation = { dict: PdfDict; ref: PdfRef };

function annotationsOf(pdf: PDF, page: PdfDict): Annotation[] {
  const all = page.get('Annots', (ref) => pdf.getObject(ref));
  if (!(all instanceof PdfArray)) return [];
  return all.toArray().flatMap((one) => {
    const dict = one instanceof PdfRef ? pdf.getObject(one) : one;
    return dict instanceof PdfDict ? [{ dict, ref: one instanceof PdfRef ? one : pdf.register(dict) }] : [];
  });
}

const isWidget = (pdf: PDF, annotation: PdfDict) => nameAt(pdf, annotation, 'Subtype') === 'Widget';
const isDrawnOn = (pdf: PDF, pageOf: ReadonlyMap<PdfDict, number>, widget: PdfDict) =>
  pageOf.has(widget) && visibilityOf(pdf, widget).onScreen;

function refusePrintOnly(pdf: PDF, pages: readonly { annotations: readonly Annotation[] }[]): void {
  for (const { annotations } of pages)
    for (const { dict } of annotations) {
      const { onScreen, inPrint, varies } = visibilityOf(pdf, dict);
      if (isWidget(pdf, dict) && (varies || (inPrint && !onScreen)))
        throw new Unsealable('active_content', 'The form has a field that is shown in print alone. Print it as PDF, and send that.');
    }
}

/** A value, for each page with a part of its field. */
function valuesOf({ field, text, widgets }: Entry, pageOf: ReadonlyMap<PdfDict, number>, anyway: boolean): FormValue[] {
  const redrawable = anyway || !widgets.some(isWritten);
  return [...new Set(widgets.map(({ dict }) => pageOf.get(dict) ?? 0))].map((page) => ({ name: field.name, page, text, redrawable }));
}

/** Whether a field may look different from its value: a script formats it, or it is a password. A redrawn field shows its value. */
function mayDiffer(pdf: PDF, { field, widgets }: Entry, again: ReadonlySet<string>): boolean {
  if (again.has(field.name)) return false;
  const formats = [field.acroField(), ...widgets.map(({ dict }) => dict)].some((dict) => dictionaryAt(pdf, dict, 'AA')?.has('F'));
  if (!formats) return false;
  return widgets.every(isWritten);
}

/** Whether a field is drawn with something written. */
function isWritten(widget: Entry['widgets'][number]): boolean {
  try {
    const stream = widget.getNormalAppearance();
    return stream !== null && scanContent(stream.getDecodedData()).showsText;
  } catch {
    return false;
  }
}

/** Draws boxes and buttons that are on and have no usable appearance for that state. */
function drawButtons(pdf: PDF, form: PDFForm | null): void {
  const drawn = (form?.getFields() ?? []).flatMap((field) => {
    if (!buttons.has(field.type) || !('needsAppearanceUpdate' in field)) return [];
    const widgets = field.getWidgets().filter((widget) => isOn(field, widget) && appearanceOf(pdf, widget.dict) === undefined);
    if (widgets.length === 0) return [];
    for (const { dict } of widgets) dict.delete('AP');
    writable(field);
    field.needsAppearanceUpdate = true;
    return widgets;
  });
  form?.updateAppearances();
  for (const widget of drawn) widget.setAppearanceState(widget.getOnValue() ?? 'Off');
}

/** Whether a button is on: by its own state, and by its field where it says none. */
function isOn(field: FormField, widget: ReturnType<FormField['getWidgets']>[number]): boolean {
  const state = widget.appearanceState;
  return state === null ? field.type === 'checkbox' && Boolean(field.getValue()) : state !== 'Off';
}

/**
 * Draws the fields of a page, and what lies below the last of them, since readers draw annotations over the content. Annotations above stay,
 * and so do those that show no content.
 */
function flattenPage(pdf: PDF, page: PdfDict, annotations: readonly Annotation[]): void {
  if (!annotations.some(({ dict }) => isWidget(pdf, dict))) return;
  const drawn = annotations.map(({ dict }) => (visibilityOf(pdf, dict).onScreen ? appearanceOf(pdf, dict) : undefined));
  const last = annotations.findLastIndex(({ dict }, at) => isWidget(pdf, dict) && drawn[at] !== undefined);
  const drawings: Drawing[] = [];
  const kept = annotations.filter(({ dict }, at) => {
    const found = drawn[at];
    const draws = at <= last && found !== undefined && !undrawn.has(nameAt(pdf, dict, 'Subtype') ?? '');
    if (draws) drawings.push({ ref: pdf.register(asForm(found.stream)), matrix: found.matrix });
    return !draws && !isWidget(pdf, dict);
  });
  drawOver(pdf, page, drawings);
  if (kept.length === 0) page.delete('Annots');
  else page.set('Annots', new PdfArray(kept.filter(({ dict }) => !isPopupOfOthers(pdf, dict, kept)).map(({ ref }) => ref)));
}

/** A note that belongs to an annotation that is part of the page now. */
function isPopupOfOthers(pdf: PDF, annotation: PdfDict, kept: readonly Annotation[]): boolean {
  const parent = nameAt(pdf, annotation, 'Subtype') === 'Popup' ? dictionaryAt(pdf, annotation, 'Parent') : undefined;
  return parent !== undefined && !kept.some(({ dict }) => dict === parent);
}
