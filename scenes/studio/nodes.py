"""A short way to write Cycles materials: every call adds a node and returns the socket that it ends in."""

import bpy


def linear(hex_color):
    """'#rrggbb' (sRGB) as the linear RGBA tuple that Blender expects."""
    digits = hex_color.lstrip('#')
    encoded = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple(c / 12.92 if c <= .04045 else ((c + .055) / 1.055) ** 2.4 for c in encoded) + (1.0,)


def hexadecimal(color):
    """Linear RGB as '#rrggbb' (sRGB)."""
    encoded = (12.92 * c if c <= .0031308 else 1.055 * c ** (1 / 2.4) - .055 for c in color[:3])
    return '#' + ''.join('%02x' % round(255 * min(1, max(0, c))) for c in encoded)


def scaled(color, factor):
    """A color made darker or lighter in linear light; never above 1."""
    return tuple(min(1.0, c * factor) for c in color[:3]) + (1.0,)


class MaterialBuilder:
    """Builds one material. Sockets and plain values can be mixed freely as inputs."""

    def __init__(self, name):
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()
        self.output = self.tree.nodes.new('ShaderNodeOutputMaterial')

    def connect(self, socket, value):
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        elif isinstance(value, bpy.types.Node):
            self.tree.links.new(value.outputs[0], socket)
        else:
            socket.default_value = value

    def node(self, kind, inputs=None, **properties):
        node = self.tree.nodes.new('ShaderNode' + kind)
        for key, value in properties.items():
            setattr(node, key, value)
        for key, value in (inputs or {}).items():
            self.connect(node.inputs[key], value)
        return node

    def math(self, operation, a, b=0.0):
        return self.node('Math', {0: a, 1: b}, operation=operation).outputs[0]

    def add(self, a, b):
        return self.math('ADD', a, b)

    def subtract(self, a, b):
        return self.math('SUBTRACT', a, b)

    def multiply(self, a, b):
        return self.math('MULTIPLY', a, b)

    def within(self, socket, low=0.0, high=1.0):
        """1 where low < socket < high, else 0."""
        return self.multiply(self.math('GREATER_THAN', socket, low), self.math('LESS_THAN', socket, high))

    def near(self, socket, center, half_width):
        """1 where |socket - center| < half_width, else 0."""
        return self.math('LESS_THAN', self.math('ABSOLUTE', self.subtract(socket, center)), half_width)

    def ramp(self, factor, stops):
        """Color ramp; stops are (position, color)."""
        ramp = self.node('ValToRGB', {'Fac': factor})
        elements = ramp.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(.5)
        for element, (position, color) in zip(elements, stops):
            element.position = position
            element.color = tuple(color[:3]) + (1.0,)
        return ramp.outputs[0]

    def mix(self, factor, a, b, blend='MIX'):
        return self.node('MixRGB', {0: factor, 1: a, 2: b}, blend_type=blend).outputs[0]

    def coordinates(self, kind='Object', scale=(1, 1, 1), rotation=(0, 0, 0), offset=(0, 0, 0)):
        source = self.node('TexCoord').outputs[kind]
        return self.node('Mapping', {'Vector': source, 'Scale': scale, 'Rotation': rotation, 'Location': offset}).outputs[0]

    def mapped(self, vector, scale, rotation=(0, 0, 0)):
        return self.node('Mapping', {'Vector': vector, 'Scale': scale, 'Rotation': rotation}).outputs[0]

    def noise(self, vector, scale, detail=4, roughness=.5, distortion=0.0):
        return self.node('TexNoise', {'Vector': vector, 'Scale': scale, 'Detail': detail, 'Roughness': roughness,
                                      'Distortion': distortion}).outputs[0]

    def noise_color(self, vector, scale, detail=2):
        return self.node('TexNoise', {'Vector': vector, 'Scale': scale, 'Detail': detail}).outputs[1]

    def attribute(self, name):
        return self.node('Attribute', attribute_name=name).outputs['Fac']

    def bump(self, height, strength=.3, distance=.01, normal=None):
        """A bumped normal; distance is the depth in metres of a height of 1."""
        inputs = {'Height': height, 'Strength': strength, 'Distance': distance}
        if normal is not None:
            inputs['Normal'] = normal
        return self.node('Bump', inputs).outputs[0]

    def principled(self, **inputs):
        """Principled shader, linked to the output. Keyword `Base_Color` sets the input "Base Color"."""
        shader = self.node('BsdfPrincipled', {key.replace('_', ' '): value for key, value in inputs.items()})
        self.connect(self.output.inputs[0], shader.outputs[0])
        return shader

    def surface(self, shader_socket):
        self.connect(self.output.inputs[0], shader_socket)
        return self.material
