"""Where ImageMagick is: other programs are called `convert` too."""
import subprocess


def find_magick():
    """The program and its version, or two times None."""
    for program in ("/usr/bin/convert", "/usr/bin/magick", "convert", "magick"):
        try:
            text = subprocess.run([program, "-version"], capture_output=True, text=True).stdout
        except OSError:
            continue
        if "ImageMagick" in text:
            return program, text.split("ImageMagick ")[1].split(" ")[0]
    return None, None
