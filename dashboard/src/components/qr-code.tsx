import './qr-code.css'
import makeQrCode from 'qrcode-generator'

/** The quiet zone: light modules around the code that readers need (ISO/IEC 18004 section 6.3.8). */
const QUIET_MODULES = 4

/** A text as a QR code, made in the page. Dark on white in both themes: some readers accept nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = makeQrCode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const indices = Array.from({ length: count }, (_, index) => index)
  const squares = indices.flatMap(row =>
    indices
      .filter(column => code.isDark(row, column))
      .map(column => `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`),
  )
  const size = count + 2 * QUIET_MODULES
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={squares.join('')} />
    </svg>
  )
}
