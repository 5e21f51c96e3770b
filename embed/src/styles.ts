/** A constructed style sheet, which policies against inline styles allow. */
export const styles = new CSSStyleSheet()
styles.replaceSync(`
:host { display: block; position: relative; font: inherit; color: inherit; }
:host([hidden]) { display: none; }
.scene { position: relative; overflow: hidden; }
.scene ::slotted(img), canvas { display: block; width: 100%; height: auto; }
[hidden] { display: none !important; }
.surface { position: absolute; inset: 0; cursor: grab; touch-action: pan-x pan-y; }
.surface:active { cursor: grabbing; }
.surface:focus-visible, button:focus-visible, input:focus-visible + span { outline: 3px solid #0b57d0; outline-offset: -3px; box-shadow: inset 0 0 0 5px #fff; }
.dropping { outline: 3px dashed #0b57d0; outline-offset: -3px; }
.controls, .buttons, fieldset { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.controls { margin-top: 8px; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { float: left; margin-right: 6px; padding: 0; }
legend::first-letter { text-transform: uppercase; }
button, .file span, .frame span { box-sizing: border-box; min-width: 32px; min-height: 32px; padding: 4px 10px; border: 1px solid #767676; border-radius: 6px; background: #fff; color: #1b1b1b; font: inherit; line-height: 22px; cursor: pointer; display: inline-block; }
button:disabled, .file input:disabled + span, .frame input:disabled + span { opacity: .5; cursor: default; }
.file, .swatch, .frame { position: relative; display: inline-block; }
.file input, .swatch input, .frame input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.swatch span { display: block; width: 28px; height: 28px; border: 2px solid #fff; border-radius: 50%; box-shadow: 0 0 0 1px #767676; }
.frame input:checked + span { border-color: #0b57d0; box-shadow: 0 0 0 1px #0b57d0; }
.swatch input:checked + span { box-shadow: 0 0 0 3px #0b57d0; }
.error { margin: 8px 0 0; color: #b3261e; background: #fff; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .swatch span { forced-color-adjust: none; } }
`)
