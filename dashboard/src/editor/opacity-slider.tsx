import { Slider } from '../components/slider.tsx'

export function OpacitySlider({ opacity, onChange }: { opacity: number; onChange: (opacity: number) => void }) {
  const words = `${Math.round(opacity * 100)} %`
  return <Slider label={`Opacity: ${words}`} value={opacity} from={0} to={1} step={0.01} {...{ words, onChange }} />
}
