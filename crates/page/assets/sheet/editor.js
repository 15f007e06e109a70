// A field for rule sheets that shows errors at their place: a marked copy of the text lies under it.

import { button, fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';

export class Editor {
  /** @param {() => void} changed */
  constructor(changed) {
    this.field = h('textarea', {
      id: 'sheet', class: 'sheet-text', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'off', 'aria-describedby': 'sheet-problems',
      placeholder: '(role white)\n(role black)\n(init (cell 1 1 blank))\n…',
      oninput: () => (this.mark([]), changed()), onscroll: () => this.follow(),
    });
    this.under = h('pre', { class: 'sheet-under', 'aria-hidden': 'true' });
    this.numbers = h('pre', { class: 'sheet-numbers', 'aria-hidden': 'true' });
    this.problems = h('div', { id: 'sheet-problems', class: 'problems', role: 'status' });
    this.element = h('div', { class: 'editor' }, this.numbers, h('div', { class: 'sheet-frame' }, this.under, this.field));
    this.mark([]);
  }

  follow() {
    this.under.scrollTop = this.numbers.scrollTop = this.field.scrollTop;
    this.under.scrollLeft = this.field.scrollLeft;
  }

  get value() {
    return this.field.value;
  }

  set value(text) {
    this.field.value = text;
    this.field.scrollTop = 0;
    this.mark([]);
  }

  /** Where a place lies in the text. Columns count characters, as the checker does. @param {number} line @param {number} column */
  offset(line, column) {
    const lines = this.value.split('\n');
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    return before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  }

  /** @param {Diagnostic} diagnostic */
  span(diagnostic) {
    if (diagnostic.line === null) return null;
    const from = this.offset(diagnostic.line, diagnostic.column ?? 1);
    const to = this.offset(diagnostic.end_line ?? diagnostic.line, diagnostic.end_column ?? (diagnostic.column ?? 1) + 1);
    return { from, to: Math.max(to, from + 1) };
  }

  /** @param {Diagnostic[]} diagnostics */
  mark(diagnostics) {
    const text = this.value;
    const marks = diagnostics.flatMap((diagnostic) => {
      const span = this.span(diagnostic);
      return span ? [{ ...span, severity: diagnostic.severity }] : [];
    }).sort((a, b) => a.from - b.from);
    /** @type {import('../common/dom.js').Child[]} */
    const parts = [];
    let at = 0;
    for (const mark of marks) {
      if (mark.from < at) continue;
      parts.push(text.slice(at, mark.from), h('mark', { class: mark.severity }, text.slice(mark.from, mark.to)));
      at = mark.to;
    }
    fill(this.under, parts, `${text.slice(at)}\n\n`);
    const bad = new Set(diagnostics.filter((one) => one.severity === 'error').map((one) => one.line));
    fill(this.numbers, text.split('\n').map((_, i) => h('div', { class: bad.has(i + 1) ? 'error' : '' }, i + 1)), h('div', {}, '\n\n'));
    fill(this.problems, diagnostics.map((diagnostic) => button([
      h('b', {}, `${diagnostic.severity}${diagnostic.line === null ? '' : ` ${t('in line {line}, column {column}', { line: diagnostic.line, column: diagnostic.column ?? 1 })}`}: `), diagnostic.message,
      diagnostic.label && h('span', { class: 'muted' }, ` ${diagnostic.label}`), diagnostic.help && h('span', { class: 'help' }, diagnostic.help),
    ], () => this.select(diagnostic), { class: `problem-line ${diagnostic.severity}` })));
    this.follow();
  }

  /** @param {Diagnostic} diagnostic */
  select(diagnostic) {
    const span = this.span(diagnostic);
    if (!span) return;
    this.field.focus();
    this.field.setSelectionRange(span.from, span.to);
    const lines = this.value.split('\n').length || 1;
    this.field.scrollTop = (this.field.scrollHeight * ((diagnostic.line ?? 1) - 4)) / lines;
  }
}
