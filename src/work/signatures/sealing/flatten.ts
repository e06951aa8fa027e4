import { type FormField, type PDF, type PDFForm, PdfArray, PdfDict, PdfNumber, PdfRef } from '@libpdf/core';
import { appearanceOf, asForm, visibilityOf } from './appearance.ts';
import { scanContent } from './content-scan.ts';
import { type Entry, entriesOf, isFramed, openDropdowns, redraw, writable } from './form-values.ts';
import { type Drawing, drawOver } from './page-content.ts';
import { Unsealable } from './pdf-sealer.ts';
import { dictionaryAt, nameAt } from './walk.ts';

const hidden = PdfNumber.of(2);
const buttons: ReadonlySet<string> = new Set(['checkbox', 'radio']);
/** Types of annotations that draw nothing on the page. */
const undrawn: ReadonlySet<string> = new Set(['Link', 'Popup', 'Text']);

/**
 * A form value that its widgets on a page must show. `drawings` has the names of their appearances among the XObjects of the page. `redrawable`:
 * nothing is drawn, or the file asks viewers to redraw the value.
 */
export type FormValue = { name: string; page: number; text: string; drawings: string[]; redrawable: boolean };

/**
 * Flattens the form fields into the pages, in the drawing order of viewers. Redraws fields without an appearance and the fields of `again`. Returns
 * the values that the pages must show.
 */
export function flattenForm(pdf: PDF, again: ReadonlySet<string> = new Set()): FormValue[] {
  const form = pdf.getForm();
  if (form) openDropdowns(form);
  const pages = pdf.getPages().map(({ dict }) => ({ dict, annotations: annotationsOf(pdf, dict) }));
  const pageOf = new Map(pages.flatMap(({ annotations }, page) => annotations.map(({ dict }) => [dict, page] as const)));
  refusePrintOnly(pdf, pages);
  const fields = form?.getFields() ?? [];
  const entries = fields.flatMap((field) => entriesOf(field, (widget) => isDrawnOn(pdf, pageOf, widget)));
  const anyway = form?.properties.needAppearances ?? false;
  const shown = entries.filter((entry) => entry.text !== '' && !mayDiffer(pdf, entry, again));
  const redrawable = new Set(shown.filter(({ widgets }) => anyway || !widgets.some(isWritten)));
  redraw(
    pdf,
    entries.filter((entry) => again.has(entry.field.name) || entry.widgets.some((widget) => isUndrawn(entry, widget))),
  );
  drawButtons(pdf, form);
  const names = new Map(pages.flatMap(({ dict, annotations }) => [...flattenPage(pdf, dict, annotations)]));
  // The library removes the rest of the form, which draws nothing.
  for (const field of fields) for (const widget of field.getWidgets()) widget.dict.set('F', hidden);
  form?.flatten({ skipAppearanceUpdate: true });
  return shown.flatMap((entry) => valuesOf(entry, { pageOf, names, redrawable: redrawable.has(entry) }));
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
        throw new Unsealable(
          'active_content',
          'The form has a field that is visible only in print. Print it as PDF and upload the new file.',
        );
    }
}

/** Whether a value, or the frame of an empty field, lacks an appearance. */
function isUndrawn({ field, text }: Entry, widget: Entry['widgets'][number]): boolean {
  return !widget.hasNormalAppearance() && (text !== '' || (field.type === 'text' && isFramed(widget)));
}

type Drawn = { pageOf: ReadonlyMap<PdfDict, number>; names: ReadonlyMap<PdfDict, string>; redrawable: boolean };

/** Returns the value once for each page with a widget of the field. */
function valuesOf({ field, text, widgets }: Entry, { pageOf, names, redrawable }: Drawn): FormValue[] {
  return [...Map.groupBy(widgets, ({ dict }) => pageOf.get(dict) ?? 0)].map(([page, some]) => {
    const drawings = some.flatMap(({ dict }) => names.get(dict) ?? []);
    return { name: field.name, page, text, drawings, redrawable };
  });
}

/** Whether a field can look different from its value, because a script formats it. Redrawing shows the value. */
function mayDiffer(pdf: PDF, { field, widgets }: Entry, again: ReadonlySet<string>): boolean {
  if (again.has(field.name)) return false;
  const formats = [field.acroField(), ...widgets.map(({ dict }) => dict)].some((dict) => dictionaryAt(pdf, dict, 'AA')?.has('F'));
  if (!formats) return false;
  return widgets.every(isWritten);
}

/** Whether the appearance of a field contains text. */
function isWritten(widget: Entry['widgets'][number]): boolean {
  try {
    const stream = widget.getNormalAppearance();
    return stream !== null && scanContent(stream.getDecodedData()).showsText;
  } catch {
    return false;
  }
}

/** Draws active checkboxes and buttons without a usable appearance, and the frames of inactive ones without an appearance. */
function drawButtons(pdf: PDF, form: PDFForm | null): void {
  const drawn = (form?.getFields() ?? []).flatMap((field) => {
    if (!buttons.has(field.type) || !('needsAppearanceUpdate' in field)) return [];
    const widgets = field
      .getWidgets()
      .map((widget) => ({ widget, on: isOn(field, widget) }))
      .filter(({ widget, on }) => (on ? appearanceOf(pdf, widget.dict) === undefined : !widget.dict.has('AP') && isFramed(widget)));
    if (widgets.length === 0) return [];
    for (const { widget } of widgets) widget.dict.delete('AP');
    writable(field);
    field.needsAppearanceUpdate = true;
    return widgets;
  });
  form?.updateAppearances();
  for (const { widget, on } of drawn) widget.setAppearanceState(on ? (widget.getOnValue() ?? 'Off') : 'Off');
}

/** Whether a button is on. If the widget has no state, the value of the field decides. */
function isOn(field: FormField, widget: ReturnType<FormField['getWidgets']>[number]): boolean {
  const state = widget.appearanceState;
  return state === null ? field.type === 'checkbox' && Boolean(field.getValue()) : state !== 'Off';
}

/**
 * Draws the fields of a page into its content, and the annotations below the last field, because viewers draw annotations over the content.
 * Annotations above the last field and annotations without content stay. Returns the XObject name of each drawing.
 */
function flattenPage(pdf: PDF, page: PdfDict, annotations: readonly Annotation[]): Map<PdfDict, string> {
  if (!annotations.some(({ dict }) => isWidget(pdf, dict))) return new Map();
  const drawn = annotations.map(({ dict }) => (visibilityOf(pdf, dict).onScreen ? appearanceOf(pdf, dict) : undefined));
  const last = annotations.findLastIndex(({ dict }, at) => isWidget(pdf, dict) && drawn[at] !== undefined);
  const drawings: (Drawing & { of: PdfDict })[] = [];
  const kept = annotations.filter(({ dict }, at) => {
    const found = drawn[at];
    const draws = at <= last && found !== undefined && !undrawn.has(nameAt(pdf, dict, 'Subtype') ?? '');
    if (draws) drawings.push({ of: dict, ref: pdf.register(asForm(found.stream)), matrix: found.matrix });
    return !draws && !isWidget(pdf, dict);
  });
  const names = drawOver(pdf, page, drawings);
  if (kept.length === 0) page.delete('Annots');
  else page.set('Annots', new PdfArray(kept.filter(({ dict }) => !isPopupOfOthers(pdf, dict, kept)).map(({ ref }) => ref)));
  return new Map(drawings.map(({ of }, at) => [of, names[at] ?? '']));
}

/** Whether the annotation of the popup is now part of the page content. */
function isPopupOfOthers(pdf: PDF, annotation: PdfDict, kept: readonly Annotation[]): boolean {
  const parent = nameAt(pdf, annotation, 'Subtype') === 'Popup' ? dictionaryAt(pdf, annotation, 'Parent') : undefined;
  return parent !== undefined && !kept.some(({ dict }) => dict === parent);
}
